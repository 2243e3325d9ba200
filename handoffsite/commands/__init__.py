"""One function for each thing that one can ask for; it conducts the workers and plays nothing itself."""
