/// A coding key for a name that no type declares.
struct ParameterKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(index: intValue) }
}

/// The path from the root to a node, which its children share.
final class ParameterLink {
    let parent: ParameterLink?
    let key: any CodingKey

    init(parent: ParameterLink?, key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    static func path(_ link: ParameterLink?) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var current = link
        while let link = current {
            path.append(link.key)
            current = link.parent
        }
        return path.reversed()
    }
}
