"""The order in which keys are written: what a reader looks for first comes first."""

from __future__ import annotations

COLLECTION_ORDER = (
    *("site", "racks", "pods", "nodes", "switches", "storage", "datasets", "fabrics", "links"),
    *("circuits", "pdus", "ups", "generators", "workloads"),
)
_ORDER = (
    *("id", "use", "pattern", "from", "to", "nics", "links", "within"),
    *("name", "profile", "storageProfile", "complete"),
    *("model", "kind", "role", "tier", "technology", "media", "class", "purpose", "device", "port", "lane"),
    *(
        "pod",
        "su",
        "rail",
        "rack",
        "circuit",
        "pdu",
        "side",
        "phase",
        "storage",
        "fabric",
        "fabrics",
        "checkpointStorage",
    ),
    *("speedGbps", "ports", "portCount", "portSpeedGbps", "maxBreakout", "pcieGen", "pcieLanes", "linkLayer"),
    *("plug", "portConnector", "a", "b", "railOptimized", "lossless"),
    *("pfc", "ecn", "congestionControl", "pfcPriority", "alternative", "evidence"),
    *("readGBps", "writeGBps", "singleClientReadGBps", "capacityTB", "sizeTB", "uses", "shared"),
    *("gpus", "gpuModel", "gpuMemoryGB", "gpuInterconnect"),
    *("requiredGpuMemoryGB", "requiredGbpsPerGpu", "maxFabricLatencyUs", "checkpointSizeGB", "maxCheckpointSeconds"),
    "checkpointStorage",
    *("utilityKw", "coolingCapacityKw", "declaredPue", "powerRedundancy", "immersionReady"),
    *("volts", "amps", "phases", "outletVolts", "ratedKw", "ratedAmps", "source", "sizingBasis"),
    *("maxPowerKw", "powerEvidence", "powerSource", "measuredPeakKw", "measurementEvidence", "measurementSource"),
    *("rackUnits", "weightKg", "weightCapacityKg"),
    *("coolingTechnology", "coolingSupported", "liquidLoop", "chilledWater", "liquidCaptureFraction"),
    *("coolingLimitOverrideKw", "coolingOverrideEvidence", "coolingOverrideSource"),
    *("inputVoltsMin", "inputVoltsMax", "psuCount", "psusNeeded", "psusMin", "psus"),
)
LAST = len(_ORDER)
KEY_RANK = {key: rank for rank, key in enumerate(_ORDER)}
# Adapters come near the end of an entry, but right after the devices in a cabling pattern.
KEY_RANK["nics"] = KEY_RANK["psus"]
PATTERN_RANK = {**KEY_RANK, "nics": KEY_RANK["to"]}
