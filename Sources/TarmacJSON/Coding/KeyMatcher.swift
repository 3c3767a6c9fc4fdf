/// Matches the keys that a type asks for with those of the document, with a key strategy.
struct KeyMatcher {
    /// No member matches.
    static let absent = -1
    /// The object is large, or a closure converts its keys: use an index.
    static let unfinished = -2

    typealias Text = Span<UInt8>

    /// The number of members compared one by one before an index is built, which bounds the cost of hostile objects.
    static let linearLimit = 128

    private enum Mode {
        case plain, snake
        case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    private let mode: Mode

    init(_ strategy: TarmacJSONDecoder.KeyDecodingStrategy) {
        mode =
            switch strategy {
            case .useDefaultKeys: .plain
            case .convertFromSnakeCase: .snake
            case .custom(let convert): .custom(convert)
            }
    }

    /// Returns the position of the value of the first member whose converted key is `key`, or ``absent`` or
    /// ``unfinished``.
    @inline(__always)
    func search(_ key: Text, in object: Int, _ tape: Tape, _ cursors: borrowing MemberCursors) -> Int {
        switch mode {
        case .plain: searchPlain(key, in: object, tape, cursors)
        case .snake: searchSnake(key, in: object, tape, cursors)
        case .custom: Self.unfinished
        }
    }

    @inline(__always)
    private func searchPlain(_ key: Text, in object: Int, _ tape: Tape, _ cursors: borrowing MemberCursors) -> Int {
        let slot = cursors.slot(object)
        let signature = KeySignatures.signature(key)
        let hasEscapes = cursors.slots[slot].hasEscapes
        guard !cursors.slots[slot].before.mayHold(signature), !hasEscapes else {
            let place = cursors.place(signature, in: slot)
            // With escapes, or two keys with one signature, only a complete search is certain.
            if !hasEscapes, tape.isKey(place, equalTo: key) { return place &+ 1 }
            if cursors.slots[slot].isWide { return Self.unfinished }
            let found = scan(key, from: object + 1, of: object, tape)
            if found == Self.unfinished { cursors.slots[slot].isWide = true }
            return found
        }
        return searchRest(key, slot, of: object, tape, cursors)
    }

    /// Searches from the cursor, noting the members it passes.
    @inline(__always)
    private func searchRest(
        _ key: Text, _ slot: Int, of object: Int, _ tape: Tape, _ cursors: borrowing MemberCursors
    ) -> Int {
        let end = tape.end(of: object)
        var left = Self.linearLimit
        while case let member = cursors.slots[slot].cursor, member < end {
            cursors.pass(slot, tape)
            if tape.isKey(member, equalTo: key) { return member &+ 1 }
            left &-= 1
            if left == 0 { return Self.unfinished }
        }
        return Self.absent
    }

    private func scan(_ key: Text, from first: Int, of object: Int, _ tape: Tape) -> Int {
        search(from: first, of: object, tape) { tape.isKey($0, equalTo: key) }
    }

    private func searchSnake(_ key: Text, in object: Int, _ tape: Tape, _ cursors: borrowing MemberCursors) -> Int {
        let slot = cursors.slot(object)
        if cursors.slots[slot].isWide { return Self.unfinished }
        let found = search(from: object + 1, of: object, tape) { isSnake($0, of: key, tape) }
        if found == Self.unfinished { cursors.slots[slot].isWide = true }
        return found
    }

    @inline(__always)
    private func search(from first: Int, of object: Int, _ tape: Tape, _ matches: (Int) -> Bool) -> Int {
        let end = tape.end(of: object)
        var member = first
        var left = Self.linearLimit
        while member < end {
            if matches(member) { return member &+ 1 }
            member = tape.next(after: member &+ 1)
            left &-= 1
            if left == 0 { return member < end ? Self.unfinished : Self.absent }
        }
        return Self.absent
    }

    // MARK: Index

    /// Returns the values by their converted keys; the first of equal keys counts.
    func index(of object: Int, _ tape: Tape, path: () -> [any CodingKey]) -> [ScalarText: Int] {
        var index: [ScalarText: Int] = [:]
        forEachKey(of: object, tape, path) { key, value in
            let key = ScalarText(key)
            if index[key] == nil { index[key] = value }
        }
        return index
    }

    func all(of object: Int, _ tape: Tape, path: () -> [any CodingKey]) -> [String] {
        var seen: Set<ScalarText> = []
        var keys: [String] = []
        forEachKey(of: object, tape, path) { key, _ in
            if seen.insert(ScalarText(key)).inserted { keys.append(key) }
        }
        return keys
    }

    private func forEachKey(
        of object: Int, _ tape: Tape, _ path: () -> [any CodingKey], _ body: (String, Int) -> Void
    ) {
        let end = tape.end(of: object)
        let base = isCustom ? path() : []
        var member = object + 1
        while member < end {
            body(converted(tape.string(at: member), after: base), member + 1)
            member = tape.next(after: member + 1)
        }
    }

    // MARK: Conversion

    func codingKey(_ component: JSONPath.Component, after path: [any CodingKey]) -> any CodingKey {
        switch component {
        case .index: AnyCodingKey(component)
        case .key(let key): AnyCodingKey(converted(key, after: path))
        }
    }

    private var isCustom: Bool {
        if case .custom = mode { true } else { false }
    }

    /// Whether the document's keys are compared as they are.
    var isPlain: Bool {
        if case .plain = mode { true } else { false }
    }

    private func converted(_ key: String, after path: [any CodingKey]) -> String {
        switch mode {
        case .plain: key
        case .snake: SnakeCase.camel(key)
        case .custom(let convert): convert(path + [AnyCodingKey(key)]).stringValue
        }
    }

    /// Whether the snake-case key at `index` becomes `key`. Plain ASCII needs no string.
    private func isSnake(_ index: Int, of key: Text, _ tape: Tape) -> Bool {
        let word = tape[index]
        if word.kind == .string, let isMatch = tape.withText(of: word, { SnakeCase.isCamel(key, of: $0) }) { return isMatch }
        return SnakeCase.camel(tape.string(at: index)).withText { $0.hasSameBytes(as: key) }
    }
}
