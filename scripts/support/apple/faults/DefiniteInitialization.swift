// expected on ios, watchos: return from initializer without initializing all stored properties
import Darwin

struct Lock {
    var primitive: os_unfair_lock
    init() {}
}
