"""Who plays better: agents on the same boards, with statistics that one can trust."""
