#if Inspector
import TarmacCore

/// The state of the page besides the calls.
struct PageState: Encodable, Sendable {
    let isLive: Bool
    let isPaused: Bool
    let canSend: Bool
    let last: Int?
    let environment: String?
    let environments: [String]
    /// The services with a fault. `nil` if the page may not set faults.
    let faults: [String: String]?
    let answers: [EndpointAnswer]
    /// The hosts that the page offers, and the services with a chosen one. `nil` if the page may not choose hosts.
    let hosts: Hosts?
    /// The number of pages that may be live at once, and how many more may be now.
    let pages: Int, pagesLeft: Int
    /// Why other machines may reach the page.
    let warning: String?

    struct Hosts: Encodable, Sendable {
        let kinds: [String], chosen: [String: String]

        init(_ controls: HostControls) { (kinds, chosen) = (controls.kinds.map(\.name), controls.active.mapValues(\.name)) }
    }
}
#endif
