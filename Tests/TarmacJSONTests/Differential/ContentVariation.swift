import Foundation

extension Content {
    /// The same, some of it changed to what JSON texts do not give: values that need escapes, or cannot be written.
    func varied(_ random: inout SeededGenerator) -> Content {
        switch self {
        case .list(let elements): .list(elements.map { $0.varied(&random) })
        case .members(let members):
            .members(members.sorted { $0.key < $1.key }.reduce(into: [:]) { $0[$1.key] = $1.value.varied(&random) })
        case .double where random.once(in: 4):
            .double(random.pick([.infinity, -.infinity, .nan, -0.0, 1e16, 1e-7, .leastNonzeroMagnitude, Double(bitPattern: random.next())]))
        case .float where random.once(in: 4): .float(random.pick([.infinity, .nan, -0.0, 1e10, .greatestFiniteMagnitude, 0.1]))
        case .string where random.once(in: 4):
            .string(random.pick(["\u{0}\u{1F}\u{7F}", "/\\\"", "\u{2028}\u{2029}", "e\u{301}", "\r\n\t\u{8}\u{C}", "</script>", "\u{1F468}\u{200D}\u{1F469}"]))
        case .date where random.once(in: 8): .date(random.pick([.distantPast, Date(timeIntervalSince1970: 0.1), Date(timeIntervalSince1970: -1e10)]))
        default: self
        }
    }
}
