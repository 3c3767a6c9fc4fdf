public import TarmacCore

extension BodyFormat {
    /// `application/x-plist`: a property list in XML. Members that are `nil` are left out.
    public static let propertyList = BodyFormat(name: "propertyList") { value throws(TarmacError) in try .propertyList(value) }
}

extension AcceptableContentTypes {
    /// The content types that servers use for property lists: `application/x-plist`, `application/xml` and `text/xml`.
    public static let propertyList = AcceptableContentTypes.only("application/x-plist", "application/xml", "text/xml")
}
