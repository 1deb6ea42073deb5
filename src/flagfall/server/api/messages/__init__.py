"""What the API sends, a module for each subject; the schema is made from these classes."""
