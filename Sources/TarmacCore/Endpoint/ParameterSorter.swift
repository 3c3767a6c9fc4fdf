import HTTPTypes

/// Puts each parameter in its place: the template, the query, a header field or the body.
struct ParameterSorter {
    private let template: URITemplate
    // Few, so that looking through them is faster than hashing.
    private var inTemplate: [Parameter] = []
    private var inQuery = ParameterList()
    private var inHeaders: [Parameter] = []
    private var inBody = ParameterList()
    private var wholeBody: Parameter?

    init(
        _ parameters: ParameterList, method: HTTPRequest.Method, template: URITemplate, hasOwnBody: Bool
    ) throws(TarmacError) {
        self.template = template
        let names = template.variableNames
        let restIsBody = !hasOwnBody && ![.get, .head, .delete, .options].contains(method)
        for parameter in parameters {
            try place(parameter, isNamed: names.contains(parameter.name), restIsBody: restIsBody)
        }
        if let wholeBody, !inBody.isEmpty {
            throw TarmacError(
                .invalidParameter, "\(wholeBody.name) is the whole body, and \(inBody.map(\.name).joined(separator: ", ")) would be in it too",
                suggestion: "place the others with @Query or @Header", path: wholeBody.name)
        }
    }

    private mutating func place(_ parameter: Parameter, isNamed: Bool, restIsBody: Bool) throws(TarmacError) {
        switch parameter.placement {
        case .path where !isNamed:
            throw TarmacError(
                .invalidParameter, "\(parameter.name) is placed in the path, but the template \(template) does not name it",
                suggestion: "write {\(parameter.name)} into the template", path: parameter.name)
        case .path: inTemplate.append(parameter)
        case .automatic where isNamed, .query where isNamed: inTemplate.append(parameter)
        case .header: inHeaders.append(parameter)
        case .body: wholeBody = parameter
        case .field: inBody.append(parameter)
        case .query: inQuery.append(parameter)
        case .automatic: if restIsBody { inBody.append(parameter) } else { inQuery.append(parameter) }
        }
    }

    // MARK: URL

    /// Returns the URL: the base, the expanded template and the query's parameters.
    ///
    /// - Parameter redactor: the names whose values are never shown, in addition to secret parameters.
    func url(base: HTTPURL?, query: QueryEncoder, redactor: Redactor) throws(TarmacError) -> HTTPURL {
        let url = if let whole = template.storage.url { whole } else { try join(try expand(query) { $1 }, to: base) }
        let encoded = inQuery.isEmpty ? "" : try query.encode(inQuery)
        let whole = encoded.isEmpty ? url : url.with(query: url.query.map { $0.isEmpty ? encoded : "\($0)&\(encoded)" } ?? encoded)
        let isSecret: (Parameter) -> Bool = { $0.isSecret || redactor.isSecret($0.name) }
        guard inTemplate.contains(where: isSecret) else { return whole }
        // The same template with the secrets masked, for code that shows the URL.
        let masked = try join(try expand(query) { isSecret($0) ? .string("masked") : $1 }, to: base)
        return whole.showing(path: masked.path)
    }

    private func expand(
        _ query: QueryEncoder, _ show: (Parameter, TemplateValue) -> TemplateValue
    ) throws(TarmacError) -> String {
        if let literal = template.literal { return literal }
        return try template.expand { name throws(TarmacError) in
            guard let parameter = inTemplate.last(where: { $0.name == name }) else { return nil }
            return try query.templateValue(of: parameter.value, named: name).map { show(parameter, $0) }
        }.string
    }

    private func join(_ expanded: String, to base: HTTPURL?) throws(TarmacError) -> HTTPURL {
        guard let base else { return try HTTPURL(expanded) }
        if template.storage.isPlainPath {
            return HTTPURL(
                scheme: base.scheme, host: base.host, port: base.port, path: joined(expanded, below: base.path), query: joined(nil, behind: base.query))
        }
        let (path, query) = try HTTPURLParser.target(expanded[...], whole: expanded)
        return HTTPURL(
            scheme: base.scheme, host: base.host, port: base.port, path: joined(path, below: base.path),
            query: joined(query, behind: base.query))
    }

    private func joined(_ path: String, below base: String) -> String {
        let begins = path.utf8.first == UInt8(ascii: "/")
        if base == "/", begins { return path }
        let prefix = base.utf8.last == UInt8(ascii: "/") ? String(base.dropLast()) : base
        return path.isEmpty || begins ? prefix + path : "\(prefix)/\(path)"
    }

    /// Appends a query to that of the base, which may have one, such as a fixed API version.
    private func joined(_ query: String?, behind base: String?) -> String? {
        guard let base, !base.isEmpty else { return query }
        guard let query, !query.isEmpty else { return base }
        return "\(base)&\(query)"
    }

    // MARK: Header fields

    func headerFields(_ query: QueryEncoder) throws(TarmacError) -> HTTPFields {
        var fields = HTTPFields()
        for parameter in inHeaders {
            for value in try values(of: parameter, query) { fields.append(try HTTPField.checked(parameter.name, value)) }
        }
        return fields
    }

    /// Returns the values of a field. An array gives one field for each element.
    private func values(of parameter: Parameter, _ query: QueryEncoder) throws(TarmacError) -> [String] {
        guard case .array(let elements) = parameter.value else {
            return try query.text(of: parameter.value, named: parameter.name).map { [$0] } ?? []
        }
        var values: [String] = []
        for element in elements {
            if let text = try query.text(of: element, named: parameter.name) { values.append(text) }
        }
        return values
    }

    // MARK: Body

    /// Returns the body made from the parameters, or an empty body if there are no parameters for it.
    func body(_ values: OptionValues) throws(TarmacError) -> Body {
        if let wholeBody { return try whole(wholeBody, values) }
        if inBody.isEmpty { return .none }
        switch values.bodyFormat.kind {
        case .json:
            try inBody.validate()
            return try json(.object(Array(inBody)), values)
        case .custom(let format):
            try inBody.validate()
            return try format.write(.object(Array(inBody)))
        case .form: return .bytes(Bytes(try FormEncoder(values.query).encode(inBody)), contentType: "application/x-www-form-urlencoded")
        }
    }

    private func whole(_ parameter: Parameter, _ values: OptionValues) throws(TarmacError) -> Body {
        switch parameter.value {
        case .data(let data): return .data(data)
        case .string(let text): return .text(text)
        case .object(let members) where values.bodyFormat.isForm:
            let form = try FormEncoder(values.query).encode(ParameterList(members))
            return .bytes(Bytes(form), contentType: "application/x-www-form-urlencoded")
        default:
            if case .custom(let format) = values.bodyFormat.kind { return try format.write(parameter.value) }
            return try json(parameter.value, values)
        }
    }

    private func json(_ value: ParameterValue, _ values: OptionValues) throws(TarmacError) -> Body {
        .bytes(try values.encoder.encode(value, dates: values.query.dates), contentType: "application/json")
    }
}
