"""Settings: an embedded site by default, the large installation by environment variables. docs/settings.md lists them."""

import sys
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from league.env import Env

env = Env()
BASE = Path(__file__).resolve().parent.parent
DATA = Path(env.text("DATA_DIR") or BASE / "var")
DATA.mkdir(parents=True, exist_ok=True)

DEBUG = env.flag("DEBUG", default=False)
DEMO = env.flag("DEMO", default=False)  # `make run`: the demo logins are shown on the sign-on page
TESTING = "pytest" in sys.modules

# Safety. Without DEBUG the site refuses to start on a guessable key; `serve` makes one and keeps it in DATA.
SECRET_KEY = env.text("SECRET_KEY")
key_file = DATA / "secret_key"
if not SECRET_KEY and key_file.exists():
    SECRET_KEY = key_file.read_text().strip()
if not SECRET_KEY:
    if DEBUG or TESTING or env.flag("BUILDING", default=False):
        SECRET_KEY = "only-for-tests-and-debugging-" + "0" * 40
    else:
        raise ImproperlyConfigured("Set SECRET_KEY to 50 or more random characters (`make run` makes one for you).")
elif not DEBUG and len(SECRET_KEY) < 32:
    raise ImproperlyConfigured("SECRET_KEY is too short: 50 or more random characters keep the sessions safe.")

ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
SITE_URL = (env.text("SITE_URL") or f"http://127.0.0.1:{env.text('PORT') or 8000}").rstrip("/")  # for links in mail
HTTPS = env.flag("HTTPS", default=not (DEBUG or TESTING))  # secure cookies, HSTS, redirect; `make run` is plain http
SECURE_SSL_REDIRECT = HTTPS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if env.flag("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = env.whole("PROXY_COUNT", 1, low=1, high=9)
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"  # the database has them; the cache is asked first
X_FRAME_OPTIONS = "DENY"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "races",
    "league",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "league.middleware.ClubTimeMiddleware",
    "races.middleware.StoppedMiddleware",
]
ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
ASGI_APPLICATION = "league.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.context.site",
            ],
            "builtins": ["league.templatetags.look", "django.templatetags.i18n", "django.templatetags.static"],
        },
    }
]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Data. SQLite in one file by default; PostgreSQL by DATABASE_URL.
DATABASE_URL = env.url("DATABASE_URL", "postgresql", "postgres")
REDIS_URL = env.url("REDIS_URL", "redis", "rediss", "unix")
if DATABASE_URL:
    DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=0)}
    pool_size = env.whole("DATABASE_POOL", 0, high=100)  # web processes; 0 for workers and tests
    if pool_size:
        DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": pool_size}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(DATA / "db.sqlite3"),
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",  # SQLite has no row locks: writers queue at the door instead
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;",
            },
            # a file, so that the threads of a test see one database
            "TEST": {"NAME": str(DATA / "test.sqlite3")},
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if REDIS_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": env.text("CACHE_PREFIX"),  # for two sites on one Redis
        }
    }
else:
    # one process: its own memory is shared memory (the rate limits live here)
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "site"}}
WEB_CONCURRENCY = env.whole("WEB_CONCURRENCY", 1, low=1, high=64)
if WEB_CONCURRENCY > 1 and not (REDIS_URL and DATABASE_URL):
    raise ImproperlyConfigured(
        "WEB_CONCURRENCY above 1 needs DATABASE_URL and REDIS_URL: the embedded site is one process."
    )

# Background work. Without Redis the worker is a thread of the web process and the queue its memory.
EMBEDDED_WORKER = not REDIS_URL
CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_DEFAULT_QUEUE = env.text("CELERY_QUEUE") or "league"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1 if REDIS_URL else 16
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600} if REDIS_URL else {"polling_interval": 0.05}
CELERY_TIMEZONE = "UTC"
SWEEP_SECONDS = env.whole("SWEEP_SECONDS", 10, low=1, high=3600)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "league.sweep", "schedule": float(SWEEP_SECONDS)},
    "races": {"task": "races.sweep", "schedule": float(SWEEP_SECONDS)},
}

# Words and time. Instants are UTC; pages show the club's zone.
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE / "locale"]

# Static files
STATIC_URL = "/static/"
STATIC_ROOT = BASE / "staticfiles"  # filled by `collectstatic` in the image; the embedded site serves the sources
if not STATIC_ROOT.is_dir() and "collectstatic" not in sys.argv:
    STATIC_ROOT = DATA / "static"
    STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "league.staticfiles.HashedStorage"},
}

# Accounts: allauth, by e-mail; a password or a mailed code.
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
if TESTING:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {"signup": "league.forms.accounts.SignupForm"}
ACCOUNT_ADAPTER = "league.accounts.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if env.flag("VERIFY_EMAIL", default=False) else "optional"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "login_failed": "10/m/ip,5/5m/key", "signup": "20/m/ip"}
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
INVITATION_DAYS = env.whole("INVITATION_DAYS", 14, low=1, high=365)

# Mail: to the console and to a folder until a server is named.
EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.whole("EMAIL_PORT", 587, low=1, high=65535)
EMAIL_HOST_USER = env.text("EMAIL_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_TLS", default=True)
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM") or "club@localhost"
if not EMAIL_HOST:
    EMAIL_BACKEND = "league.mail.FolderBackend"
    EMAIL_FILE_PATH = DATA / "mail"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "WARNING")},
    "loggers": {"django.request": {"level": "ERROR"}},  # who may not enter is no trouble of ours
}
