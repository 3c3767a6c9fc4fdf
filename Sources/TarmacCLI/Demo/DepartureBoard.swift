#if Tools
import Tarmac

/// The result of one stop of the tour, as the board shows it.
struct Departure: Sendable {
    enum Status: Sendable {
        /// A value arrived.
        case landed
        /// An error arrived, as it should.
        case returned
        /// The owner was gone, so nothing was delivered.
        case silent
        /// Nothing was sent.
        case grounded

        var sentence: Sentence {
            switch self {
            case .landed: .landed
            case .returned: .returned
            case .silent: .silent
            case .grounded: .grounded
            }
        }

        var colour: Palette.Colour {
            switch self {
            case .landed: .green
            case .returned: .red
            case .silent: .yellow
            case .grounded: .cyan
            }
        }
    }

    /// The call as one would write it.
    let code: [String]
    let status: Status
    let duration: Duration
    /// The printed values of expressions; they are the same in each language.
    var output: [String] = []
    /// Sentences about the result.
    var remarks: [String] = []
}

/// Lays out departures for a terminal (pure).
struct DepartureBoard {
    let palette: Palette
    var language = TourLanguage.english

    private static let (width, flightWidth, titleWidth, statusWidth) = (84, 10, 46, 12)

    func header(_ place: String) -> String {
        let title = Sentence.departures.text(in: language)
        let gap = String(repeating: " ", count: max(2, Self.width - title.columns - place.columns))
        let names = [Sentence.flight, .call, .status, .time].map { $0.text(in: language) }
        let head = start(names[0], names[1]) + names[2].padded(to: Self.statusWidth) + names[3]
        return """

            \(palette.paint(title, .bold))\(gap)\(palette.paint(place, .dim))
            \(rule)
            \(palette.paint(head, .dim))
            """
    }

    func row(_ flight: String, _ title: String, _ departure: Departure) -> String {
        let status = departure.status.sentence.text(in: language)
        let gap = status.padded(to: Self.statusWidth).dropFirst(status.count)
        let first = palette.paint(start(flight, title), .bold) + palette.paint(status, departure.status.colour) + gap + departure.duration.shown
        let code = departure.code.map { "          " + palette.paint($0, .cyan) }
        let remarks = (departure.output + departure.remarks).map { "          \(palette.paint("→", .dim)) \($0)" }
        return ([first] + code + remarks).joined(separator: "\n") + "\n"
    }

    func footer(_ lines: [String]) -> String { ([rule] + lines).joined(separator: "\n") }

    private var rule: String { palette.paint(String(repeating: "─", count: Self.width), .dim) }

    private func start(_ flight: String, _ title: String) -> String {
        flight.padded(to: Self.flightWidth) + title.padded(to: Self.titleWidth)
    }
}
#endif
