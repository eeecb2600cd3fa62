import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// The cast and crew of a film in pages' lists.
struct CreditModels: Sendable {
    /// Widths of a portrait's `url` and of the largest picture in its `srcset`, in pixels; displayed 48 pixels wide.
    private static let (width, widest) = (120, 160)

    /// Maximum number of jobs shown for a person in a film.
    private static let jobLimit = 50

    let request: PageRequest

    /// Rows by role, in billing order.
    ///
    /// - Parameter paint: Receives the portraits' colours.
    func cast(_ members: some Sequence<Credits.CastMember>, paint: inout PagePaint) throws(Problem) -> [Model] {
        var rows: [Model] = []
        for member in members {
            let portrait = try self.request.site.pictures.urls.picture(
                at: member.portrait, width: Self.width, widest: Self.widest, widths: .page)
            rows.append(
                self.row(
                    member.name, id: member.id, role: member.role,
                    portrait: portrait.map { PictureModel($0).model(&paint) }))
        }
        return rows
    }

    /// The cast, followed by the departments of the crew, as sections; omits empty ones.
    func groups(_ credits: Credits, paint: inout PagePaint) throws(Problem) -> [Model] {
        var groups: [Model] = []
        let formats = self.request.formats
        if !credits.cast.isEmpty {
            groups.append(self.group("cast", formats("filmCast"), try self.cast(credits.cast, paint: &paint)))
        }
        for department in Department.allCases {
            let members = credits.crew.filter { ($0.department ?? .crew) == department }
            guard !members.isEmpty else { continue }
            groups.append(self.group(department.rawValue, department.name(in: formats.preference), self.crew(members)))
        }
        return groups
    }

    private func group(_ id: String, _ heading: String, _ rows: [Model]) -> Model {
        ["id": id, "heading": heading, "count": self.request.formats("peopleCount", count: rows.count), "rows": rows]
    }

    /// Rows by person, with all jobs.
    private func crew(_ members: [Credits.CrewMember]) -> [Model] {
        let formats = self.request.formats
        var people: [(member: Credits.CrewMember, jobs: [String])] = []
        var places: [String: Int] = [:]
        for member in members {
            let person = member.id?.description ?? member.name
            let place = places[person] ?? people.count
            if place == people.count {
                places[person] = place
                people.append((member, []))
            }
            let job = member.job.name(in: formats.preference) ?? member.sourceJob
            guard people[place].jobs.count < Self.jobLimit else { continue }
            if !job.isEmpty, !people[place].jobs.contains(job) { people[place].jobs.append(job) }
        }
        return people.map { self.row($0.member.name, id: $0.member.id, role: formats.list($0.jobs)) }
    }

    private func row(_ name: String, id: PersonID?, role: String, portrait: Model? = nil) -> Model {
        ["name": name, "url": id.map(self.request.links.person), "role": role, "portrait": portrait]
    }
}

extension PageFormats {
    /// The interface's language, for names from the domain.
    var preference: LanguagePreference { LanguagePreference([self.language]) }
}
