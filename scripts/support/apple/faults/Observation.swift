// expected on ios, macos, tvos, watchos: 'ObservationRegistrar' is only available in
import Observation

let registrar = ObservationRegistrar()
