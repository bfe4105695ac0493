"""Fabrics, switches, links and lossless settings."""

from __future__ import annotations

from .build_compute import body, peak, place
from .maker import Entry, Maker

ROLES = ("training", "inference", "storage", "oob", "inband")
ROCE = ("roce-400", "roce-100")
PLUGS = ("OSFP", "OSFP", "OSFP", "QSFP112", "QSFP56", "RJ45")
MAX_LINKS = 16


def fabrics(m: Maker) -> None:
    """No fabric up to one of every role, sometimes two of one role; most of one family."""
    if not m.size["fabric"] and m.chance(0.6):
        return
    wanted: list[str] = [
        role for role, often in zip(ROLES, (0.75, 0.4, 0.45, 0.6, 0.1), strict=True) if m.chance(often)
    ]
    if m.chance(0.1):
        wanted.append(m.pick(ROLES))
    training = m.pick(("ib-ndr", "ib-ndr", "ib-hdr", "roce-400", "roce-100", "roce-100"))
    usual = {"training": training, "inference": m.pick(ROCE), "storage": m.pick((training, "roce-400", "ib-ndr"))}
    lossless = m.among(same=6, alternative=2, other=2, mixed=2, nothing=1)
    for index, role in enumerate(wanted):
        fabric: Entry = {"id": "f" + role[0] + ("b" if role == "inband" else "") + (str(index) if index > 3 else "")}
        if fabric["id"] in m.ids("fabrics"):
            fabric["id"] += str(index + 5)
        m.put(fabric, "role", role, 0.6 + 0.4 * m.good)
        technology = usual.get(role, "ethernet")
        if m.chance(0.12):
            technology = m.pick(("ib-ndr", "ib-hdr", "roce-400", "roce-100", "ethernet"))
        m.put(fabric, "technology", "token-ring" if m.chance(0.01) else technology, 0.6 + 0.4 * m.good)
        if technology in ROCE and m.chance(0.9):
            _lossless(m, fabric, lossless)
        if role == "training" and m.chance(0.5):
            fabric["railOptimized"] = m.chance(0.9)
        m.add("fabrics", fabric)


def _lossless(m: Maker, entry: Entry, style: str) -> None:
    if style == "mixed":
        style = m.among(same=5, alternative=2, other=1, nothing=1, half=2, both=1)
    if style == "nothing" or not m.chance(0.97):
        return
    setting: Entry = {}
    if style in ("same", "both", "half"):
        setting["pfc"] = style != "half" or m.chance(0.5)
        setting["ecn"] = True if style != "half" else not setting["pfc"] or m.chance(0.2)
        m.put(setting, "pfcPriority", 3 if m.chance(0.93) else m.pick((3, 4)), 0.9)
        m.put(setting, "congestionControl", "dcqcn", 0.3)
    if style in ("alternative", "other", "both"):
        setting["alternative"] = "lossless mode x" if style == "alternative" else m.pick(("lossless mode y", "pfc+ecn"))
        m.put(setting, "evidence", "test report 3", 0.85)
    entry["lossless"] = setting


def lossless_path(m: Maker) -> None:
    """Lossless settings of the switches and NICs of RoCE fabrics, mostly as the fabric has them."""
    roce = {fabric["id"]: fabric for fabric in m.items("fabrics") if fabric.get("technology") in ROCE}
    right = m.pick((1.0, 0.95, 0.7))
    adapters = [nic for device in m.items("nodes") + m.items("storage") for nic in device.get("nics", [])]
    for entry in [*m.items("switches"), *adapters]:
        names = [*entry.get("fabrics", []), entry.get("fabric")]
        mine = [roce[name] for name in names if name in roce]
        if mine and m.chance(right):
            if "lossless" in mine[0]:
                entry["lossless"] = dict(mine[0]["lossless"])
            else:
                _lossless(m, entry, "mixed")
            if m.chance(0.05):
                entry["lossless"] = {**entry.get("lossless", {}), "pfcPriority": m.pick((3, 4, 5))}
        elif mine or m.chance(0.03):
            _lossless(m, entry, "mixed")


def switches(m: Maker) -> None:
    """Leaves, spines and a management switch; some shared by fabrics."""
    if not m.items("fabrics") and not m.chance(0.1):
        return
    rich = m.size["fabric"] == 2
    plan: list[tuple[str, str | None]] = []
    for fabric in m.items("fabrics"):
        role = fabric.get("role")
        if role in ("oob", "inband"):
            plan.append((fabric["id"], m.pick((None, None, "leaf"))))
            continue
        leaves = m.count(1, 2) if rich else m.count(0, 1)
        plan += [(fabric["id"], "leaf")] * leaves
        if rich and m.chance(0.5):
            plan.append((fabric["id"], m.pick(("spine", "spine", "spine", "core"))))
    m.rng.shuffle(plan)
    names = m.ids("fabrics")
    for index, (fabric_id, tier) in enumerate(plan[:6] or ([("", None)] if m.chance(0.3) else [])):
        switch: Entry = {"id": f"sw{index}"}
        m.put(switch, "model", m.pick(("qm9700", "sn2201", "sn5600")), 0.7)
        members = [fabric_id] if fabric_id else []
        if names and m.chance(0.1):
            members = list(dict.fromkeys([*members, m.pick(names)]))
        if m.chance(0.02):
            members.append("fghost")
        m.put(switch, "fabrics", members, 0.5 + 0.5 * m.good)
        m.put(switch, "tier", tier, 0.96)
        m.put(switch, "portCount", m.pick((64, 48, 32, 4, 8)))
        usual = next((link_speed(fabric) for fabric in m.items("fabrics") if fabric["id"] == fabric_id), 400)
        m.put(switch, "portSpeedGbps", usual if m.chance(0.9) else m.pick((1, 100, 200, 400, 800, 3200, 3201)))
        m.put(switch, "maxBreakout", m.pick((2, 2, 4, 1)), 0.6)
        if tier == "leaf" and m.chance(0.7):
            switch["rail"] = m.count(0, 1)
            m.put(switch, "su", m.pick(("su1", "su1", "su1", "su2")), 0.8)
        place(m, switch)
        body(m, switch)
        peak(m, switch)
        m.add("switches", switch)


def link_speed(fabric: Entry | None) -> int:
    """The usual speed of a link in a fabric."""
    technology = str((fabric or {}).get("technology"))
    return {"ib-ndr": 400, "ib-hdr": 200, "roce-400": 400, "roce-100": 100}.get(technology, 1)


class Cabling:
    """Draws links: NICs to leaves, leaves to spines, management ports, and some that are odd."""

    def __init__(self, m: Maker) -> None:
        self.m = m
        self.used: dict[str, int] = {}
        self.by_id = {fabric["id"]: fabric for fabric in m.items("fabrics")}
        self.plugs = m.chance(0.6)
        self.plug = m.pick(PLUGS)

    def members(self, fabric: str | None, *tiers: str) -> list[Entry]:
        """The switches of a fabric, of the given tiers where any."""
        found = [switch for switch in self.m.items("switches") if fabric in switch.get("fabrics", [])]
        return [switch for switch in found if not tiers or switch.get("tier") in tiers]

    def port(self, switch: Entry) -> str:
        """The next free port of a switch; rarely one that is taken."""
        number = self.used.get(switch["id"], 0)
        if not number or self.m.chance(0.96):
            number = self.used[switch["id"]] = number + 1
        return f"1/{number}" if self.plug == "QSFP56" else str(number)

    def end(self, device: str, port: str, kind: str | None = None) -> Entry:
        """One end of a link."""
        m = self.m
        end: Entry = {}
        m.put(end, "device", device, 0.7 + 0.3 * m.good)
        m.put(end, "port", port, 0.7 + 0.3 * m.good)
        if kind:
            m.put(end, "kind", kind, 0.97)
        if self.plugs:
            plug = self.plug if kind is None else "RJ45"
            m.put(end, "plug", plug)
            m.put(end, "portConnector", plug if m.chance(0.97) else m.pick(PLUGS))
        if m.chance(0.04):
            end["speedGbps"] = m.pick((400, 200, 100, 1))
        if m.chance(0.02):
            end["lane"] = m.count(0, 3)
        return end

    def link(self, a: Entry, b: Entry, fabric: str | None, speed: object) -> Entry:
        """A link; rarely in another fabric, of another speed, or without one end."""
        m = self.m
        link: Entry = {"id": f"l{len(m.items('links')) + 1}"}
        if m.chance(0.04):
            fabric = m.pick([*self.by_id, "fghost"])
        m.put(link, "fabric", fabric, 0.6 + 0.4 * m.good)
        m.put(link, "speedGbps", speed if m.chance(0.97) else m.pick((400, 200, 100, 3200, 0)), 0.7 + 0.3 * m.good)
        if m.chance(0.5):
            a, b = b, a
        m.put(link, "a", a, 0.995)
        m.put(link, "b", b, 0.995)
        return m.add("links", link)

    def adapters(self) -> None:
        """NICs of nodes and storage systems to leaves of their fabric."""
        m = self.m
        connected = m.pick((1.0, 1.0, 0.9, 0.5))
        for device in m.items("nodes") + m.items("storage"):
            for nic in device.get("nics", []):
                if len(m.items("links")) >= MAX_LINKS or not m.chance(connected):
                    continue
                leaves = self.members(nic.get("fabric"), "leaf") or self.members(nic.get("fabric"))
                if m.chance(0.03):
                    leaves = m.items("switches")
                if not leaves:
                    continue
                right = [leaf for leaf in leaves if leaf.get("rail") == nic.get("rail") is not None]
                leaf = m.pick(right if right and m.chance(0.9) else leaves)
                speed = nic.get("speedGbps", 400)
                for number in range(min(int(nic.get("ports", 1)), 2)):
                    name = f"{nic['id']}.p{number}" if "ports" in nic or m.chance(0.1) else nic["id"]
                    self.link(
                        self.end(device["id"], name), self.end(leaf["id"], self.port(leaf)), nic.get("fabric"), speed
                    )

    def uplinks(self) -> None:
        """Leaves to spines and cores of their fabric, and now and then leaf to leaf."""
        m = self.m
        for fabric in list(self.by_id):
            upper = self.members(fabric, "spine", "core")
            for leaf in self.members(fabric, "leaf"):
                partners = upper or [other for other in self.members(fabric) if other is not leaf and m.chance(0.5)]
                for _ in range(m.count(1, 3) if partners else 0):
                    self.between(leaf, m.pick(partners), fabric)
        if len(m.items("switches")) > 1 and m.chance(0.15):
            one, other = m.rng.sample(m.items("switches"), 2)
            self.between(one, other, m.pick([*self.by_id, None]))

    def between(self, one: Entry, other: Entry, fabric: str | None) -> None:
        """A link between two switches; rarely over the management port of one."""
        if len(self.m.items("links")) >= MAX_LINKS:
            return
        kind = "mgmt" if self.m.chance(0.04) else None
        ends = self.end(one["id"], self.port(one), kind), self.end(other["id"], self.port(other))
        self.link(*ends, fabric, link_speed(self.by_id.get(fabric or "")))

    def management(self) -> None:
        """Management ports of the devices to a switch of an oob fabric."""
        m = self.m
        oob = [fabric for fabric, entry in self.by_id.items() if entry.get("role") == "oob"]
        hubs = [switch for fabric in oob for switch in self.members(fabric)]
        often = m.pick((1.0, 0.9, 0.4, 0.0))
        for device in m.devices() if hubs else []:
            hub = m.pick(hubs)
            if device is hub or len(m.items("links")) >= MAX_LINKS + 6 or not m.chance(often):
                continue
            end = self.end(device["id"], m.pick(("bmc", "bmc", "mgmt0")), "mgmt")
            self.link(end, self.end(hub["id"], self.port(hub)), m.pick(oob), 1)

    def odd(self) -> None:
        """A link from anything to anything."""
        m = self.m
        names = [device["id"] for device in m.devices()]
        for _ in range(m.count(1, 3) if names and m.chance(0.15) else 0):
            one, other = (self.end(m.pick([*names, "ghost"]), m.pick(("1", "2", "c0", "s0", "x"))) for _ in "ab")
            self.link(one, other, m.pick([*self.by_id, None]), m.pick((1, 100, 400)))


def links(m: Maker) -> None:
    """The cables of the design; a fifth of the designs has none."""
    if m.chance(0.2):
        return
    cabling = Cabling(m)
    steps = [cabling.management, cabling.adapters, cabling.uplinks]
    m.rng.shuffle(steps)
    for step in steps:
        step()
    cabling.odd()
