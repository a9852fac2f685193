"""The page without a server: a folder that any web host can serve.

``build`` writes the folder: the files of the page, Python for browsers (Pyodide), and one archive of satsweep with the
libraries that its exact path needs (``pieces``). In the browser ``page/worker.js`` starts Python, and ``browser``
answers the questions of the page with the same code as the workers of the server.
"""
