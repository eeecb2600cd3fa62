/// The cast and crew of a film.
package struct Credits: Hashable, Sendable {
    /// A role and its actor.
    package struct CastMember: Hashable, Sendable {
        /// Never empty.
        package let name: String
        /// The name in the actor's own language; empty when unknown or the same.
        package let originalName: String
        /// The name of the role; empty when unknown.
        package let role: String
        /// A portrait of the actor; nil for none.
        package let portrait: PictureLocation?

        package init(name: String, originalName: String = "", role: String, portrait: PictureLocation? = nil) {
            self.name = name
            self.originalName = originalName == name ? "" : originalName
            self.role = role
            self.portrait = portrait
        }
    }

    /// A member of the crew.
    package struct CrewMember: Hashable, Sendable {
        /// Never empty.
        package let name: String
        /// The job, such as `Director`.
        package let job: String

        package init(name: String, job: String) {
            self.name = name
            self.job = job
        }

        package static func director(_ name: String) -> CrewMember { CrewMember(name: name, job: "Director") }
    }

    /// In billing order.
    package let cast: [CastMember]
    /// In the source's order.
    package let crew: [CrewMember]

    package init(cast: [CastMember], crew: [CrewMember]) {
        self.cast = cast
        self.crew = crew
    }
}
