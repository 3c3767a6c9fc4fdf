/// The state that the containers of one decoding share. A container is a reference to it and an index.
///
/// One call uses it, on the thread of that call.
final class DecodingContext {
    let storage: DocumentStorage
    let tape: Tape
    let settings: TarmacJSONDecoder
    let keys: KeyMatcher
    private let root: Int
    private let routes = DecodingRoutes()
    private lazy var pathFinder = PathFinder(tape: tape, root: root)
    /// The last requested coding path, and its steps.
    private var lastPath: (steps: [JSONPath.Component], keys: [any CodingKey]) = ([], [])
    private let stack = StackLimit()
    lazy var locator = ValueLocator(storage)
    /// The indexes of large objects, by converted keys and by the document's own.
    private var indexes: [Int: [ScalarText: Int]] = [:]
    /// Those that the document keeps too. Others would exceed its limit together.
    private(set) var names: [Int: NameIndex] = [:]
    private var lastNames: (object: Int, index: NameIndex)?
    /// The lengths of long arrays, which types ask for before each element.
    private var counts: [Int: Int] = [:]
    private let cursors = MemberCursors()

    init(_ storage: DocumentStorage, root: Int, settings: TarmacJSONDecoder) {
        self.storage = storage
        tape = storage.tape
        self.settings = settings
        self.root = root
        keys = KeyMatcher(settings.keyDecodingStrategy)
    }

    func json(at index: Int) -> JSON { JSON(storage, at: index) }

    // MARK: Values

    /// Decodes the value at `index`. Scalars, arrays, optionals and dictionaries, which the standard library reads
    /// through three existential containers, are decoded directly; other types decode themselves.
    func value<T: Decodable>(at index: Int, as type: T.Type) throws -> T {
        // Returned one by one, because an optional of `T` would ask the runtime for its metadata each time.
        if type == String.self { return same(try string(at: index), as: type) }
        if type == Int.self { return same(try integer(at: index, as: Int.self), as: type) }
        if type == Double.self { return same(try double(at: index), as: type) }
        if type == Bool.self { return same(try bool(at: index), as: type) }
        if let direct = routes.route(for: type) { return try value(at: index, direct, as: type) }
        return try located(at: index, as: type) { try T(from: $0) }
    }

    /// Lets a type or a strategy decode the value at `index`, and adds its place in the document to errors.
    @inline(__always)
    func located<Value>(at index: Int, as type: Value.Type, _ make: (TapeDecoder) throws -> Value) throws -> Value {
        try checkStack(at: index, type)
        do { return try make(TapeDecoder(context: self, index: index)) } catch { throw located(error, at: index, type) }
    }

    /// Called wherever a type can continue to another level.
    @inline(__always)
    func checkStack<Value>(at index: Int, _ type: Value.Type) throws {
        if stack.isUsedUp { throw tooDeep(at: index, type) }
    }

    /// Returns a decoder for a part of a value, which a type may pass to its own functions.
    @inline(__always)
    func decoder(at index: Int) throws -> TapeDecoder {
        try checkStack(at: index, (any Decoder).self)
        return TapeDecoder(context: self, index: index)
    }

    private func value<Direct: DirectlyDecodable, T>(
        at index: Int, _ direct: Direct.Type, as type: T.Type
    ) throws -> T {
        same(try Direct.decode(from: self, at: index), as: type)
    }

    @inline(__always)
    func isNull(_ index: Int) -> Bool { tape[index].isNull }

    @inline(__always)
    func string(at index: Int) throws -> String {
        guard tape[index].isString else { throw mismatch(at: index, String.self) }
        return tape.string(at: index)
    }

    @inline(__always)
    func bool(at index: Int) throws -> Bool {
        guard let value = tape.bool(at: index) else { throw mismatch(at: index, Bool.self) }
        return value
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(at index: Int, as type: T.Type) throws -> T {
        guard let value = tape.integer(at: index, as: type) else { throw unfit(at: index, type) }
        return value
    }

    @inline(__always)
    func double(at index: Int) throws -> Double {
        if let value = tape.double(at: index) { return value }
        return try nonConforming(at: index)
    }

    @inline(__always)
    func float(at index: Int) throws -> Float {
        let word = tape[index]
        if word.isNumber, let value = tape.withText(of: word, { NumberReader.float($0) }) { return value }
        return try nonConforming(at: index)
    }

    private func nonConforming<T: BinaryFloatingPoint>(at index: Int) throws -> T {
        if case .convertFromString(let positive, let negative, let nan) =
            settings.nonConformingFloatDecodingStrategy, tape[index].isString
        {
            switch tape.string(at: index) {
            case positive: return .infinity
            case negative: return -.infinity
            case nan: return .nan
            default: break
            }
        }
        throw unfit(at: index, T.self)
    }

    /// Returns the number of elements of the array at `index`.
    func count(of index: Int) -> Int {
        guard tape[index].extent > Self.shortExtent else { return tape.childCount(of: index) }
        if let count = counts[index] { return count }
        let count = tape.childCount(of: index)
        counts[index] = count
        return count
    }

    /// The extent up to which counting is as fast as a lookup.
    private static let shortExtent = 32

    // MARK: Members

    /// Returns the value of the first member that matches `key`.
    @inline(__always)
    func value(forKey key: String, of object: Int) -> Int? {
        let found = key.withText { keys.search($0, in: object, tape, cursors) }
        if found >= 0 { return found }
        return found == KeyMatcher.absent ? nil : indexedValue(forKey: key, of: object)
    }

    /// Returns the value of the first member that matches `key` of an object too large for a linear search.
    @inline(never)
    private func indexedValue(forKey key: String, of object: Int) -> Int? {
        guard keys.isPlain else { return index(of: object)[ScalarText(key)] }
        let names = names(of: object)
        return key.withText { names.find($0, tape).place }
    }

    /// Returns the index of the document's own keys. It is built once, or each time that the decoding comes back to an object whose
    /// index the document has no room for.
    private func names(of object: Int) -> NameIndex {
        if let lastNames, lastNames.object == object { return lastNames.index }
        if let index = names[object] {
            lastNames = (object, index)
            return index
        }
        // Released first, so that two indexes beyond the limit never exist at the same time.
        lastNames = nil
        let (index, isKept) = storage.names(of: object)
        if isKept { names[object] = index }
        lastNames = (object, index)
        return index
    }

    /// Returns the index of converted keys, which is built once.
    private func index(of object: Int) -> [ScalarText: Int] {
        if let index = indexes[object] { return index }
        let index = keys.index(of: object, tape) { [unowned self] in codingPath(to: object) }
        indexes[object] = index
        return index
    }

    /// Returns each key once, converted by the strategy, in the order of the text.
    func allKeys(of object: Int) -> [String] {
        keys.all(of: object, tape) { codingPath(to: object) }
    }

    // MARK: Errors

    /// Returns the keys from the root of this decoding to `index`, converted by the key strategy.
    func codingPath(to index: Int) -> [any CodingKey] {
        let steps = pathFinder.path(to: index)
        let shared = zip(steps, lastPath.steps).prefix { $0 == $1 }.count
        var path = Array(lastPath.keys[..<shared])
        for step in steps[shared...] { path.append(keys.codingKey(step, after: path)) }
        lastPath = (steps, path)
        return path
    }
}
