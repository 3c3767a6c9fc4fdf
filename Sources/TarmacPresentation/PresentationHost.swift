import TarmacCore

/// The screen that a call is presented on. The reference is weak, so a call never extends the life of a screen.
public struct PresentationHost: Sendable, CustomStringConvertible {
    private enum Place {
        case owner, app
        case object(any ObjectReference)
    }
    private let place: Place

    /// The call's owner, or the whole app for a call without one.
    public static let owner = PresentationHost(place: .owner)
    /// The whole app. A presenter receives `nil` as the host.
    public static let app = PresentationHost(place: .app)

    /// A screen or any other object.
    public static func object(_ host: any AnyObject & Sendable) -> PresentationHost { PresentationHost(place: .object(WeakReference(host))) }

    /// A screen or any other object of the main actor.
    @MainActor
    public static func object(_ host: AnyObject) -> PresentationHost { PresentationHost(place: .object(WeakReference(host))) }

    /// Whether the host is the owner.
    package var isOwner: Bool { if case .owner = place { true } else { false } }

    /// Returns the screen of a call: this one, or the owner's.
    func reference(owner: (any ObjectReference)?) -> (any ObjectReference)? {
        switch place {
        case .owner: owner
        case .app: nil
        case .object(let reference): reference
        }
    }

    public var description: String {
        switch place {
        case .owner: "the owner"
        case .app: "the app"
        case .object(let reference): reference.object.map { "a \(type(of: $0))" } ?? "gone"
        }
    }
}
