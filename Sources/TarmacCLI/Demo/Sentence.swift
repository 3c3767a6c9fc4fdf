#if Tools
/// The texts of the tour. ``texts`` is the table of them in both languages.
enum Sentence: CaseIterable, Sendable {
    // The board.
    case departures, flight, call, status, time
    case landed, returned, silent, grounded

    // The titles of the stops.
    case oneLine, endpoint, explain, leaving, failure, environments, doubleTap, together, thousand
    case geocoder, login, register, kept, video, suggest, photo, products

    // The results of the stops.
    case user, landedUser, ownerGone, places, place, taps, indicators
    case landedOf, debugBuild, debugServer, releaseFigures
    case address, prompt, oneHandling, twoTokens, sources, network, cache, rest, words, cancelled, part, versions

    // Comments in the code.
    case twice, twoScreens

    // Between the items of a list.
    case comma, semicolon, or, and

    // The end, and the option --stop.
    case page, pageUntilInterrupt
    case next, nextPages, nextOldLayers, nextArchitecture, nextSource
    case tries, tryInspect, tryStop, tryServe, tryGet
    case noStop

    /// The sentence with values in its places `{0}`, `{1}`, and so on.
    func text(in language: TourLanguage, _ values: String...) -> String { filled(language, values) }

    /// The same with the values as an array.
    func filled(_ language: TourLanguage, _ values: [String]) -> String {
        var (text, rest) = ("", Substring(language == .chinese ? texts.chinese : texts.english))
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}"),
            let place = Int(rest[rest.index(after: open)..<close]), values.indices.contains(place)
        {
            text += rest[..<open] + values[place]
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
#endif
