#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// Edits of a value, one after the other, and of its model.
struct EditCalls {
    private let bytes: CallBytes
    private var json: JSON
    private var model: PlainJSON

    /// - Returns: the first difference between the value and its model.
    static func difference(_ bytes: CallBytes) -> String? {
        var calls = EditCalls(bytes)
        for _ in 0..<40 where !bytes.isEmpty {
            let before = calls.model.text()
            let call = calls.edit()
            if let words = calls.compare() { return "\(words)\nafter \(call) of \(before)" }
        }
        return nil
    }

    private init(_ bytes: CallBytes) {
        self.bytes = bytes
        model = PlainJSON(bytes)
        json = Self.json(model, bytes)
    }

    /// Half are a document's value, half are built.
    private static func json(_ model: PlainJSON, _ bytes: CallBytes) -> JSON {
        if bytes.next(2) == 0, let parsed = try? JSON(parsing: model.text()) { return parsed }
        return model.built
    }

    private mutating func edit() -> String {
        let value = PlainJSON(bytes, depth: 3)
        let (key, index) = (bytes.key(), bytes.next(4) - 1)
        let other = Self.json(value, bytes)
        switch bytes.next(11) {
        case 0:
            json[key] = other
            model.set(key, value)
            return "[\(key)] = \(value.text())"
        case 1:
            json[index] = other
            model.set(index, value)
            return "[\(index)] = \(value.text())"
        case 2:
            json.append(other)
            model.append(value)
            return "append \(value.text())"
        case 3:
            json.remove(key)
            model.set(key, nil)
            return "remove \(key)"
        case 4:
            json.remove(at: index)
            model.remove(at: index)
            return "remove at \(index)"
        case 5:
            json.merge(other)
            model.merge(value)
            return "merge \(value.text())"
        case 6:
            json[key] = json["nothing that is there"]
            model.set(key, nil)
            return "[\(key)] = nothing"
        case 7: return descend(key, index)
        case 8: return build(key, other, value)
        case 9:
            json = Self.json(model, bytes)
            return "rebuilt"
        default:
            // An edit that does nothing.
            json[key].remove("nothing that is there")
            json[index].remove(at: 99)
            return "nothing"
        }
    }

    /// Edits what is inside, in place.
    private mutating func descend(_ key: String, _ index: Int) -> String {
        if var child = model[key] {
            child.append(.int(1))
            child.set("x", .int(2))
            model.set(key, child)
            json[key].append(1)
            json[key]["x"] = 2
            return "[\(key)] changed"
        }
        if var child = model[index] {
            child.set("x", .int(2))
            child.remove(at: 0)
            model.set(index, child)
            json[index]["x"] = 2
            json[index].remove(at: 0)
            return "[\(index)] changed"
        }
        return "nothing"
    }

    /// Sets at the end of a path that need not be there.
    private mutating func build(_ key: String, _ other: JSON, _ value: PlainJSON) -> String {
        json[[.key(key), "p", "q"]] = other
        var (outer, inner) = (model[key] ?? .null, model[key]?["p"] ?? .null)
        inner.set("q", value)
        outer.set("p", inner)
        model.set(key, outer)
        return "[\(key), p, q] = \(value.text())"
    }

    // MARK: Comparison

    private func compare() -> String? {
        let text = model.text().replacing("\\/", with: "/")
        let written = json.text([]).replacing("\\/", with: "/")
        guard text == written else { return "\(written)\ninstead of\n\(text)" }
        let count = model.elements.count + model.members.count
        guard json.count == count else { return "a count of \(json.count), not \(count)" }
        guard let parsed = try? JSONDocument(written, options: .init(depthLimit: .max)).root else { return "no JSON: \(written)" }
        guard parsed == json, parsed.hashValue == json.hashValue, model.built == json else { return "unequal: \(written)" }
        for (member, (key, value)) in zip(model.members, json.members) where member.key != key || json[key] != value { return "another member: \(key)" }
        for (place, (plain, value)) in zip(model.elements, json.elements).enumerated() where plain.built != value || json[place] != value {
            return "another element: \(place)"
        }
        return nil
    }
}
