"""The command line: it parses, calls a command and prints; data on stdout, talk on stderr."""
