// expected on ios, macos, tvos, watchos, visionos: 'Atomic' is only available in
import Synchronization

let counter = Atomic(1)
