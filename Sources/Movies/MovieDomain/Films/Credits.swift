/// The cast and crew of a film.
public struct Credits: Hashable, Sendable {
    /// A role and its actor.
    public struct CastMember: Hashable, Sendable {
        /// The actor's name; never empty.
        public let name: String
        /// The name in the actor's own language; empty when unknown or the same.
        public let originalName: String
        /// The name of the role; empty when unknown.
        public let role: String
        /// A portrait of the actor; nil for none.
        public let portrait: PictureLocation?

        /// A role and its actor.
        public init(name: String, originalName: String = "", role: String, portrait: PictureLocation? = nil) {
            self.name = name
            self.originalName = originalName
            self.role = role
            self.portrait = portrait
        }
    }

    /// A member of the crew.
    public struct CrewMember: Hashable, Sendable {
        /// Never empty.
        public let name: String
        /// The job, such as `Director`.
        public let job: String

        /// A member of the crew.
        public init(name: String, job: String) {
            self.name = name
            self.job = job
        }
    }

    /// In billing order.
    public let cast: [CastMember]
    /// In the source's order.
    public let crew: [CrewMember]

    /// The cast and crew of a film.
    public init(cast: [CastMember], crew: [CrewMember]) {
        self.cast = cast
        self.crew = crew
    }
}
