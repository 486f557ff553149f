"""The courses that a club has laid out."""

from django.urls import URLPattern, path

from league.views import library

COURSES = "c/<slug:club>/courses/"

urlpatterns: list[URLPattern] = [
    path(COURSES, library.courses, name="courses"),
    path(f"{COURSES}new/", library.course_new, name="course_new"),
    path(f"{COURSES}<slug:course>/", library.course, name="course"),
    path(f"{COURSES}<slug:course>/edit/", library.course_edit, name="course_edit"),
    path(f"{COURSES}<slug:course>/archive/", library.course_archive, name="course_archive"),
]
