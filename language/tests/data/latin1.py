# café
def test_a(device):
    pass
