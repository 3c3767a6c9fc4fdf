#if Tools
/// Where the output goes, and what may be done with it.
struct Terminal: Sendable {
    /// Whether standard output is a terminal: then JSON is laid out for people; a pipe gets raw bytes.
    var showsOutput: Bool
    /// Whether standard error is a terminal: only then a progress bar is drawn.
    var showsProgress: Bool
    var palette: Palette
    var errorPalette: Palette
    var columns: Int

    /// - Parameter environment: `NO_COLOR` (no-color.org) and `TERM=dumb` turn colours off.
    init(outputIsTerminal: Bool, errorIsTerminal: Bool, columns: Int, environment: [String: String]) {
        let wantsColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        showsOutput = outputIsTerminal
        showsProgress = errorIsTerminal
        palette = Palette(isOn: outputIsTerminal && wantsColour)
        errorPalette = Palette(isOn: errorIsTerminal && wantsColour)
        self.columns = columns
    }
}

/// Colours, or none.
struct Palette: Sendable, Hashable {
    let isOn: Bool

    enum Colour: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case magenta = "35"
        case cyan = "36"
        case loud = "1;37;41"
    }

    func paint(_ text: String, _ colour: Colour) -> String {
        isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
#endif
