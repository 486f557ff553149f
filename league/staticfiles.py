"""Static files with their content in the name, so that a browser may keep them for ever."""

from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# An embedded site, tests and DEBUG serve straight from the sources: nothing to collect, nothing to forget.
HashedStorage = (
    CompressedManifestStaticFilesStorage if (settings.STATIC_ROOT / "staticfiles.json").exists() else StaticFilesStorage
)
