"""Giro d'Italia: The Game: the box (`data`), a course on paper (`notation`), its checks (`validity`), the road (`course`)."""
