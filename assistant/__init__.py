"""The support assistant: it asks a model, checks what the model proposes, and judges what it replies."""
