"""Addresses: the chat of a race, and private notes."""

from django.urls import URLPattern, path

from races.views import chat

urlpatterns: list[URLPattern] = [
    path("<str:key>/chat/", chat.chat, name="chat"),
    path("<str:key>/chat/<int:n>/hide/", chat.hide, name="chat_hide"),
    path("<str:key>/chat/<int:n>/delete/", chat.delete, name="chat_delete"),
    path("<str:key>/chat/seen/", chat.seen, name="chat_seen"),
    path("<str:key>/chat/mute/", chat.mute, name="chat_mute"),
    path("<str:key>/notes/", chat.notes, name="notes"),
]
