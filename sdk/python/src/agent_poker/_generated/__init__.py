"""Written by npm run sdk:generate from src/protocol; do not edit."""
