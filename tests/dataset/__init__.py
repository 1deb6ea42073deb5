"""Datasets: rows, folders, readers, the page."""
