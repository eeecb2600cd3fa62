/// The cast and crew of a film.
package struct Credits: Hashable, Sendable {
    /// The maximal length of a name, role or job in bytes of UTF-8; longer ones are truncated.
    package static let textBytes = 1024

    /// A role and its actor.
    package struct CastMember: Hashable, Sendable {
        /// Never empty.
        package let name: String
        /// The name in the actor's own language; empty if unknown or equal to ``name``.
        package let originalName: String
        /// The name of the role; empty if unknown.
        package let role: String
        package let portrait: PictureLocation?
        /// `nil` if the source has no pages of people.
        package let id: PersonID?

        package init(
            name: String, originalName: String = "", role: String, portrait: PictureLocation? = nil,
            id: PersonID? = nil
        ) {
            self.name = name.limited(toBytes: Credits.textBytes)
            self.originalName = originalName == name ? "" : originalName.limited(toBytes: Credits.textBytes)
            self.role = role.limited(toBytes: Credits.textBytes)
            self.portrait = portrait
            self.id = id
        }
    }

    package struct CrewMember: Hashable, Sendable {
        /// Never empty.
        package let name: String
        package let department: Department?
        package let job: Job
        /// The source's word for the job, such as `Director` or `감독`; may be empty.
        package let sourceJob: String
        /// `nil` if the source has no pages of people.
        package let id: PersonID?

        /// - Parameters:
        ///   - sourceJob: The source's word, which determines the job.
        ///   - department: The source's department; `nil` for the job's usual one.
        package init(name: String, sourceJob: String, department: Department? = nil, id: PersonID? = nil) {
            self.name = name.limited(toBytes: Credits.textBytes)
            self.job = Job(word: sourceJob)
            self.department = department.flatMap { $0 == .acting ? nil : $0 } ?? self.job.department
            self.sourceJob = sourceJob.limited(toBytes: Credits.textBytes)
            self.id = id
        }

        package static func director(_ name: String, sourceJob: String = "Director") -> CrewMember {
            CrewMember(name: name, sourceJob: sourceJob)
        }
    }

    /// In billing order.
    package let cast: [CastMember]
    /// The directors first, otherwise in the source's order.
    package let crew: [CrewMember]

    /// - Parameter crew: In the source's order.
    package init(cast: [CastMember], crew: [CrewMember]) {
        self.cast = cast
        self.crew = crew.filter { $0.job == .director } + crew.filter { $0.job != .director }
    }
}
