"""Written by npm run generate from src/protocol; do not edit."""
