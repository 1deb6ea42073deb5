"""Notifications for people who are not here: keys, encryption, push services, texts, the queue."""
