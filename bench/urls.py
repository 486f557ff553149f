"""The site's addresses and the yardstick. Only the measurements serve it."""

from django.urls import path

from bench.bare import insert
from league import urls

handler404, handler403, handler500 = urls.handler404, urls.handler403, urls.handler500
urlpatterns = [path("bare/", insert), *urls.urlpatterns]
