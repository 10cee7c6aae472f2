"""Which slot of the program stands for which tensor object, and what the script calls it."""
import weakref

import torch

PLENTY = 256  # slots; in a longer program those of tensors that died are used again
PATIENCE = 12  # statements in which a name is looked for
PATIENCE_FOR_PARAMETERS = 1000  # their module gets its name when it is complete


class Slots:
    """Slots are numbered in the order of first use. A slot is known while its tensor object lives and its scope is open."""

    def __init__(self, journal):
        self.owners, self.free = {}, []
        self.journal, self.next, self.known, self.unnamed, self.scopes = journal, 0, {}, {}, [(set(), None)]

    def find(self, tensor):
        """The tensor's slot, or None."""
        found = self.known.get(id(tensor))
        return found[1] if found and found[0]() is tensor else None

    def bind(self, tensor):
        """A slot for a tensor object: a new one, or in a long program that of a tensor that died."""
        again = self.free and self.next > PLENTY and len(self.scopes) == 1
        return self.bind_to(tensor, self.free.pop() if again else self.nothing())

    def bind_to(self, tensor, slot):
        """The slot stands for this object from now on."""
        whole = len(self.scopes) == 1

        def died(reference):
            if whole and self.owners.get(slot) is reference:
                self.free.append(slot)

        self.owners[slot] = weakref.ref(tensor, died)
        self.known[id(tensor)] = (self.owners[slot], slot)
        self.unnamed[id(tensor)] = PATIENCE_FOR_PARAMETERS if isinstance(tensor, torch.nn.Parameter) else PATIENCE
        self.scopes[-1][0].add(id(tensor))
        return slot

    def nothing(self):
        """A new slot that no tensor is known to be in."""
        slot, self.next = self.next, self.next + 1
        return slot

    def forget(self, tensor):
        self.known.pop(id(tensor), None)

    def open_scope(self, apart):
        """What is bound from now on belongs to a thread, a forward, a backward or a functionalized body. `apart`: a backward,
        which knows no other slots."""
        self.scopes.append((set(), self.known if apart else None))
        if apart:
            self.known = {}

    def close_scope(self):
        bound, outside = self.scopes.pop()
        if outside is not None:
            self.known = outside
            return
        for key in bound:
            self.known.pop(key, None)

    def learn_names(self, variables):
        """Names the slots of tensors that are in variables, or are parts of a module in one."""
        parts = any(isinstance(self.known[key][0](), torch.nn.Parameter) for key in self.unnamed if key in self.known)
        for name, value in list(variables.items()):
            if parts and isinstance(value, torch.nn.Module):
                for part, tensor in (*value.named_parameters(), *value.named_buffers()):
                    self.learn_name(f"{name}_{part.replace('.', '_')}", tensor)
            elif id(value) in self.unnamed and not name.startswith("_"):
                self.learn_name(name, value)

    def learn_name(self, name, tensor):
        slot = self.find(tensor)
        if slot is not None and self.unnamed.pop(id(tensor), None) is not None:
            self.journal.name(slot, name)

    def grow_older(self):
        """A statement was written: a tensor that no variable holds after a few of them is a temporary one."""
        self.unnamed = {key: left - 1 for key, left in self.unnamed.items() if left > 0}
