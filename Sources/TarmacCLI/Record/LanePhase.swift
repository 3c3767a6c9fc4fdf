#if Tools
/// A part of the time of a call or of an attempt, by the character that draws it.
enum LanePhase: Character, CaseIterable {
    case call = "━"
    case queued = "·"
    case nameResolution = "d"
    case connect = "c"
    case tls = "t"
    case send = "s"
    case wait = "w"
    case receive = "r"
    /// The transport does not tell it.
    case unknown = "~"

    /// The name in the legend. `nil` for the lane of a call, which needs none.
    var name: String? {
        switch self {
        case .call: nil
        case .queued: "queued"
        case .nameResolution: "dns"
        case .connect: "connect"
        case .tls: "tls"
        case .send: "send"
        case .wait: "wait"
        case .receive: "receive"
        case .unknown: "not known"
        }
    }

    var colour: Palette.Colour {
        switch self {
        case .call: .bold
        case .queued, .unknown: .dim
        case .nameResolution, .connect: .yellow
        case .tls: .magenta
        case .send: .cyan
        case .wait: .green
        case .receive: .blue
        }
    }
}
#endif
