"""Origin-destination times, distances, routes and matrices on OpenStreetMap, on your own machine.

    import odometer
    network = odometer.Network.build("porto.osm.pbf", "walking")
    network.matrix(homes, stations)            # a frame: from_id, to_id, travel_time, distance

Times are in seconds, distances in metres, and places in degrees of WGS 84, latitude first. Values equal those of the
program's jobs, bit for bit.
"""

from odometer._library import STATUSES, Cancelled, Error, FewAnswers, InputError, PlacesWarning, UsageError, install, version
from odometer.export import export
from odometer.network import Access, Matches, Network
from odometer.results import Results, run

__all__ = ["STATUSES", "Access", "Cancelled", "Error", "FewAnswers", "InputError", "Matches", "Network", "PlacesWarning", "Results", "UsageError", "export", "install", "run"]
__version__ = version
