/// Who made a film.
public struct Credits: Hashable, Sendable {
    /// A part and who played it.
    public struct CastMember: Hashable, Sendable {
        /// Of the person; never empty.
        public let name: String
        /// As the person's own language writes it; empty when unknown, or the same.
        public let originalName: String
        /// Empty when the part has no name.
        public let role: String
        /// A portrait; nil when there is none.
        public let portrait: PictureLocation?

        /// A part and who played it.
        public init(name: String, originalName: String = "", role: String, portrait: PictureLocation? = nil) {
            self.name = name
            self.originalName = originalName
            self.role = role
            self.portrait = portrait
        }
    }

    /// Somebody behind the camera.
    public struct CrewMember: Hashable, Sendable {
        /// Never empty.
        public let name: String
        /// Such as `Director`.
        public let job: String

        /// Somebody behind the camera.
        public init(name: String, job: String) {
            self.name = name
            self.job = job
        }
    }

    /// In billing order.
    public let cast: [CastMember]
    /// In the source's order.
    public let crew: [CrewMember]

    /// Who made a film.
    public init(cast: [CastMember], crew: [CrewMember]) {
        self.cast = cast
        self.crew = crew
    }
}
