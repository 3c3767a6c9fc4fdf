// A mirror that ends the reflection of `dump`: what these types hold may be secret, such as the fields and credentials of a service.

extension Engine: CustomReflectable { package var customMirror: Mirror { Mirror(self, children: [:]) } }
extension ServiceRuntime: CustomReflectable { package var customMirror: Mirror { Mirror(self, children: [:]) } }
extension ResolvedOptions: CustomReflectable { package var customMirror: Mirror { Mirror(self, children: [:]) } }
extension ServiceScope: CustomReflectable { public var customMirror: Mirror { Mirror(self, children: ["name": name]) } }
extension ClientScope: CustomReflectable { public var customMirror: Mirror { Mirror(self, children: [:]) } }
extension CallContext: CustomReflectable { public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint, "id": id]) } }
