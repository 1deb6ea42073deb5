"""The box that `flagfall edition new` writes: small, complete, full of remarks."""

NEW_BOX = """# A box of your own. Change it, then:  flagfall edition check my-box.toml
# One file is the whole box: board, armies, kinds of pieces, powers, games and their texts.

id = "my-box"
name = "My own box"
tagline = "Two clubs, one treasure."
story = "Two clubs of explorers look for each other's treasure map."

[board]
size = [6, 6]              # columns and rows, at most 10 of each
home_rows = 2              # rows in which each side sets up
zones = ["c3", "d4"]       # squares nobody may enter; none in the home rows

# The first army sits South and moves first.
[army.foxes]
name = "Foxes"
colour = "#D55E00"
text = "Quick and clever."

[army.owls]
name = "Owls"
colour = "#0072B2"
text = "Patient and wise."

# rank: the higher beats the lower when one attacks the other; equal ranks fall together.
[kind.captain]
name = "Captain"
code = "C"                 # one character for setups, unique within an army
label = "5"                # printed on the tile
rank = 5
count = 1
text = "The strongest of the club. Only a Trickster can surprise it."

[kind.guide]
name = "Guide"
code = "G"
label = "3"
rank = 3
count = 3
text = "A solid friend for every errand."

[kind.digger]
name = "Digger"
code = "D"
label = "2"
rank = 2
count = 2
takes = ["trap"]           # captures these when it attacks, whatever the ranks
text = "Digs up traps that would catch anybody else."

[kind.runner]
name = "Runner"
code = "R"
label = "1"
rank = 1
count = 2
privileges = ["long-run"]
text = "Runs as far as the way is free, and may strike at the end of it."

[kind.trickster]
name = "Trickster"
code = "T"
label = "T"
rank = 0
count = 1
takes = ["captain"]
text = "Weak, but the one who catches a Captain by surprise."

[kind.trap]
name = "Trap"
code = "B"
label = "B"
rank = 0
count = 2
role = "bomb"              # stays where it is and destroys who attacks it
text = "Nobody sees it until it is too late. Only a Digger can take it away."

[kind.map]
name = "Map"
code = "F"
label = "F"
rank = 0
count = 1
role = "flag"              # losing it loses the game; each army has exactly one
text = "The treasure map. Guard it well: the piece that takes it wins."

[power.long-run]
name = "Long run"
verb = "run"               # primitives: flagfall edition check names them when one is unknown
attack = true
text = "Any number of free squares in a straight line, and an attack at the end if you like."

[hints]
Placement = "Put the Map in a corner and a Trap next to it."

[game.classic]
name = "Classic"
text = "Take the other club's map."
sides = "chosen"           # or "lot"
"""
