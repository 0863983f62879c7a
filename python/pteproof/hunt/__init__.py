"""Exporters and planners on trial: random problems, judged, and what they find made small."""
