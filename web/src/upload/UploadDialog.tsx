import { useQuery } from "@tanstack/react-query";
import { FileUp, FolderUp, Upload } from "lucide-react";
import { type ChangeEvent, type ReactNode, useId, useRef } from "react";
import { projectsQuery } from "@/api/projects";
import { schemasQuery } from "@/api/schemas";
import { sessionQuery } from "@/api/session";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Select } from "@/components/Inputs";
import { useShownProject } from "@/documents/shownProject";
import { pickedOf } from "./folders";
import { uploads } from "./uploads";
import { chooseUploadProject, chooseUploadSchema, useUploadOptions } from "./options";

/** Upload dialog: files or a folder, and unless they go into a batch, the project and the fields to extract. */
export function UploadDialog({ open, close, title = "Upload documents" }: { open: boolean; close: () => void; title?: string }) {
  return (
    <Dialog open={open} close={close} title={title}>
      <UploadForm done={close} />
    </Dialog>
  );
}

export function UploadButton({ label = "Upload", onClick }: { label?: string; onClick: () => void }) {
  return (
    <Button look="primary" icon={<Upload aria-hidden className="size-4" />} onClick={onClick}>
      {label}
    </Button>
  );
}

function UploadForm({ done }: { done: () => void }) {
  const options = useUploadOptions();
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    if (event.target.files) uploads.add(pickedOf(event.target.files), options);
    event.target.value = "";
    done();
  };
  return (
    <div className="flex flex-col gap-4 text-left">
      <p className="text-muted">PDFs, scans, photos, Office files, emails and archives such as ZIP. You can also drop files or folders anywhere on the page.</p>
      {options.batch === null ? (
        <>
          <SchemaChoice value={options.schema} />
          <ProjectChoice value={options.project} />
        </>
      ) : null}
      <div className="grid gap-2 sm:grid-cols-2">
        <Picker icon={<FileUp aria-hidden className="size-4" />} label="Choose files" onChange={take} />
        <Picker icon={<FolderUp aria-hidden className="size-4" />} label="Choose a folder" folder onChange={take} />
      </div>
    </div>
  );
}

function SchemaChoice({ value }: { value: string | null }) {
  const { data: schemas } = useQuery(schemasQuery);
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        Fields to extract
      </label>
      <Select id={id} value={value ?? ""} onChange={(event) => chooseUploadSchema(event.target.value || null)}>
        <option value="">Project default</option>
        <option value="auto">By document class</option>
        <option value="none">None, read only</option>
        {schemas?.map((schema) => (
          <option key={schema.name} value={schema.name}>
            {schema.title ?? schema.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

function ProjectChoice({ value }: { value: string | null }) {
  const { data: session } = useQuery(sessionQuery);
  const { data: projects } = useQuery(projectsQuery);
  const shown = useShownProject();
  const id = useId();
  if (session?.project || shown !== null || (projects?.length ?? 0) < 2) return null;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        Project
      </label>
      <Select id={id} value={value ?? ""} onChange={(event) => chooseUploadProject(event.target.value || null)}>
        <option value="">Default project</option>
        {projects?.map((project) => (
          <option key={project.name} value={project.name}>
            {project.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

interface PickerProps {
  icon: ReactNode;
  label: string;
  folder?: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

function Picker({ icon, label, folder = false, onChange }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={onChange}
        {...(folder ? { webkitdirectory: "" } : {})}
      />
      <Button icon={icon} className="min-h-12" onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
