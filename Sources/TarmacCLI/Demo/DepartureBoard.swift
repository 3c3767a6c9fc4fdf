#if Tools
import Tarmac

/// One stop of the tour, as the board shows it.
struct Departure: Sendable {
    enum Status: String, Sendable {
        /// A value arrived.
        case landed = "LANDED"
        /// An error arrived, as it should.
        case returned = "RETURNED"
        /// Nobody was there any more, so nothing was delivered.
        case silent = "SILENT"
        /// Nothing was sent.
        case grounded = "GROUNDED"

        var colour: Palette.Colour {
            switch self {
            case .landed: .green
            case .returned: .red
            case .silent: .yellow
            case .grounded: .cyan
            }
        }
    }

    let title: String
    /// The call as one would write it.
    let code: [String]
    let status: Status
    let duration: Duration
    /// What came of it.
    let remarks: [String]
}

/// Lays out departures for a terminal (pure).
struct DepartureBoard {
    let palette: Palette

    private static let width = 84
    private static let titleWidth = 46

    func header(_ place: String) -> String {
        let title = "TARMAC · DEPARTURES"
        let gap = String(repeating: " ", count: max(2, Self.width - title.count - place.count))
        return """

            \(palette.paint(title, .bold))\(gap)\(palette.paint(place, .dim))
            \(rule)
            \(palette.paint(Self.row("FLIGHT", "CALL", "STATUS", "TIME"), .dim))
            """
    }

    func row(_ number: Int, _ departure: Departure) -> String {
        let cells = Self.row("TA \(100 + number)", departure.title, "", "")
        let status = departure.status.rawValue
        let padded = palette.paint(status, departure.status.colour) + String(repeating: " ", count: max(1, 12 - status.count))
        let first = palette.paint(cells, .bold) + padded + departure.duration.shown
        let code = departure.code.map { "          " + palette.paint($0, .cyan) }
        let remarks = departure.remarks.map { "          \(palette.paint("→", .dim)) \($0)" }
        return ([first] + code + remarks).joined(separator: "\n") + "\n"
    }

    func footer(_ lines: [String]) -> String { ([rule] + lines).joined(separator: "\n") }

    private var rule: String { palette.paint(String(repeating: "─", count: Self.width), .dim) }

    private static func row(_ flight: String, _ title: String, _ status: String, _ time: String) -> String {
        let start = padded(flight, 10) + padded(title, titleWidth)
        return status.isEmpty ? start : start + padded(status, 12) + time
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
#endif
