# The page, `satsweep serve`, on port 8000:
#
#     docker build --tag satsweep . && docker run --rm --publish 8000:8000 satsweep
FROM python:3.13-slim

ENV SATSWEEP_CACHE_DIR=/var/cache/satsweep PYTHONDONTWRITEBYTECODE=1
COPY pyproject.toml README.md LICENSE /src/
COPY satsweep /src/satsweep
RUN pip install --no-cache-dir '/src[web]' && rm -r /src \
    && useradd --system satsweep && install --directory --owner satsweep /var/cache/satsweep
USER satsweep
# Kernels are compiled for the processor of this machine, and again in the background where another one runs them.
RUN satsweep warm

EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8000/health')"]
CMD ["satsweep", "serve", "--host", "0.0.0.0", "--port", "8000"]
