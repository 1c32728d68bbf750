export default (contact: { name?: string; contactMethod?: "phone" | "email"; phone?: string; email?: string }) => {
  const by = contact.contactMethod === "phone" ? contact.phone : contact.email;
  return `${contact.name ?? "The contact"} can be reached at ${by}.`;
};
