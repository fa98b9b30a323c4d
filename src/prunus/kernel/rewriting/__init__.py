"""Changes to a function's intermediate code before its types are inferred."""
