# The page, `satsweep serve`, on port 8000:
#
#     docker build --tag satsweep . && docker run --rm --publish 8000:8000 satsweep
FROM python:3.13-slim

ENV PYTHONDONTWRITEBYTECODE=1
COPY pyproject.toml README.md LICENSE /src/
COPY scripts/build_hook.py /src/scripts/build_hook.py
COPY satsweep /src/satsweep
RUN pip install --no-cache-dir '/src[web]' && rm -r /src && useradd --system satsweep
USER satsweep

EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8000/health')"]
CMD ["satsweep", "serve", "--host", "0.0.0.0", "--port", "8000"]
