// expected on ios, macos, tvos, watchos, visionos: 'Mutex' is only available in
import Synchronization

let counter = Mutex(1)
