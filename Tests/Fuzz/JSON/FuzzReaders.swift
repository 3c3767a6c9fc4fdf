import Foundation

/// Everything that reads a document, against everything else that does.
struct FuzzReaders {
    let document: JSONDocument
    let data: Data

    init(_ document: JSONDocument, _ data: Data) {
        self.document = document
        self.data = data
    }

    func run() {
        walk(document.root, depth: 0)
        rewrite()
        edit()
        decode()
    }

    private func walk(_ json: JSON, depth: Int) {
        _ = (json.int, json.uint64, json.double, json.bool, json.numberText, json.decimal, json.count, json["a"].path, json[0].path)
        if let string = json.string { require(string.utf8.count <= data.count, "a string longer than the text") }
        if depth % 16 == 0 { _ = json.path }
        for element in json.elements { walk(element, depth: depth + 1) }
        for (key, value) in json.members {
            require(json[key].kind != nil, "a member that is not found")
            walk(value, depth: depth + 1)
        }
    }

    private func rewrite() {
        let root = document.root
        for options: JSON.WritingOptions in [[], .prettyPrinted, [.sortedKeys, .prettyPrinted], .withoutEscapingSlashes] {
            guard let bytes = try? root.bytes(options), let back = try? JSONDocument(bytes) else { fatalError("no document is written") }
            require(back.root == root && back.root.hashValue == root.hashValue, "another value is written")
        }
    }

    private func edit() {
        var json = document.root
        json["b"] = document.root
        json["b"]["a"] = 7
        json.remove("a")
        json.merge(document.root)
        json.append(document.root)
        guard (try? json.bytes()) != nil else { fatalError("an edited value cannot be written") }
    }

    private func decode() {
        guard let tree = try? TarmacJSONDecoder().decode(Tree.self, from: document) else { return }
        guard let bytes = try? TarmacJSONEncoder().encodeBytes([tree]), let back = try? TarmacJSONDecoder().decode([Tree].self, from: bytes) else {
            fatalError("a decoded value cannot be encoded")
        }
        require(Tree.array(back).means(.array([tree])), "another value comes back")
        var snake = TarmacJSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        snake.dateDecodingStrategy = .iso8601
        for decoder in [TarmacJSONDecoder(), snake] {
            do { _ = try decoder.decode(FuzzModel.self, from: document) } catch { requireNoSecret(error, of: data) }
        }
    }
}

struct FuzzModel: Decodable {
    struct Inner: Decodable { var c: Bool; var d: [Float]; var e: [String: Int8]? }
    var a: Int?
    var b: [Inner]?
    var firstName: String?
    var date: Date?
    var data: Data?
    var url: URL?
    var sum: Decimal?
    var any: JSON?
    var password: Int?
}

extension Tree {
    /// Whether two mean the same: a large double is written without a fraction, and comes back as an integer.
    func means(_ other: Tree) -> Bool {
        switch (self, other) {
        case (.double(let double), .int(let int)), (.int(let int), .double(let double)): double == Double(int)
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { key, value in right[key].map { value.means($0) } ?? false }
        default: self == other
        }
    }
}
