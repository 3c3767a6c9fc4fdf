extension Array: DirectlyEncodable where Element: Encodable {
    func write(to context: EncodingContext) throws {
        let handle = context.open(isObject: false)
        for element in self {
            context.beginElement(at: handle.depth)
            try context.write(element)
        }
        context.close(downTo: handle.depth)
    }
}

extension Optional: DirectlyEncodable where Wrapped: Encodable {
    func write(to context: EncodingContext) throws {
        guard let wrapped = self else { return context.writeNull() }
        try context.write(wrapped)
    }
}

/// The keys of such a dictionary are data: no key strategy applies, as in Foundation.
extension Dictionary: DirectlyEncodable where Key == String, Value: Encodable {
    func write(to context: EncodingContext) throws {
        let handle = context.open(isObject: true)
        for (key, member) in self {
            context.beginUniqueMember(named: key, at: handle.depth)
            try context.write(member)
        }
        context.close(downTo: handle.depth)
    }
}

extension JSON: DirectlyEncodable {
    func write(to context: EncodingContext) throws {
        let json = self
        if json.isMissing { return context.writeNull() }
        var writer = JSONWriter(
            output: context.output, options: context.settings.outputFormatting, level: context.baseLevel + context.levels.count)
        do throws(JSONError) {
            try writer.write(json)
        } catch {
            throw EncodingError.invalidValue(
                json,
                .init(
                    codingPath: context.writingPath + error.path.components.map { AnyCodingKey($0) }, debugDescription: "\(error)",
                    underlyingError: error))
        }
    }
}
