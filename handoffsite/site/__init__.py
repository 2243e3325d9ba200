"""A project's pages: everything that its records say, for people to read and for machines to fetch."""
