# The site, for docker-compose.yml: one image for web, worker and beat. Runs as an ordinary user.
FROM python:3.13-slim AS build
WORKDIR /srv
COPY requirements.txt .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /srv --shell /usr/sbin/nologin club && install -d -o club /data
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data
WORKDIR /srv
COPY --from=build /venv /venv
COPY manage.py pyproject.toml ./
COPY rules rules
COPY races races
COPY league league
COPY templates templates
RUN BUILDING=1 python manage.py collectstatic --noinput --verbosity 0
USER club
VOLUME /data
EXPOSE 8000
CMD ["sh", "-c", "exec uvicorn league.asgi:application --host 0.0.0.0 --port 8000 --workers \"${WEB_CONCURRENCY:-2}\" --timeout-graceful-shutdown 10"]
