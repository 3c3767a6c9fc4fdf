// expected on ios, watchos: cannot find 'NWPathMonitor' in scope
import Dispatch

let monitor = NWPathMonitor()
