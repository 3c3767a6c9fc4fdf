#if Tools
import ArgumentParser

/// A stop of the tour.
struct TourStop: Sendable {
    /// The flight on the board, such as `TA104`.
    let code: String
    let title: Sentence
    let fly: @Sendable (Tour) async throws -> Departure

    init(_ code: String, _ title: Sentence, _ fly: @escaping @Sendable (Tour) async throws -> Departure) {
        (self.code, self.title, self.fly) = (code, title, fly)
    }
}

extension Tour {
    static let allStops = stops + seedStops

    /// Returns the stop with a code, in upper or lower case, or all stops if there is no code.
    ///
    /// - Throws: `ValidationError` with the list of the codes if no stop has this one.
    static func stops(named code: String?, in language: TourLanguage) throws(ValidationError) -> [TourStop] {
        guard let code else { return allStops }
        if let stop = allStops.first(where: { $0.code.lowercased() == code.lowercased() }) { return [stop] }
        let list = allStops.map { "  \($0.code)  \($0.title.text(in: language))" }
        throw ValidationError(([Sentence.noStop.text(in: language, code)] + list).joined(separator: "\n"))
    }

    /// Runs stops one after the other, and writes the board while they end.
    ///
    /// - Parameter transport: the name of what carries the calls.
    func fly(_ stops: [TourStop], over transport: String, on board: DepartureBoard, write: (String) throws -> Void) async throws {
        try write(board.header("\(transport) → \(server.url)"))
        for stop in stops { try write(board.row(stop.code, stop.title.text(in: language), try await stop.fly(self))) }
    }
}
#endif
